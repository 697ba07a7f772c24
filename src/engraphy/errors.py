"""Every error engraphy raises on purpose.

    EngraphyError
    ├── InvalidInputError            a caller's value is wrong (also a ValueError)
    │   ├── EmptyContentError, ContentTooLongError, RequestTooLargeError
    │   ├── UnknownScopeError
    │   ├── UnknownFieldError
    │   ├── PersonalDataError
    │   ├── NotThereError            what it names is allowed, and there is none
    │   ├── NameTakenError           what it names has to be new, and is there
    │   ├── ImportFormatError
    │   └── LabelledDataError
    ├── NotFoundError                no such memory for this caller (also a LookupError)
    │   ├── UnknownSessionError      no such session has begun
    │   ├── UnknownJobError          no such job was set aside
    │   └── UnknownGrantError        no such access token was given
    ├── NotAllowedError              no token that is known here, or none any more
    ├── ForbiddenError               a known token that may not do this
    ├── PathTakenError               another page of a notebook stands there, above it or below it
    ├── ProtectedError               the memory is immutable, or its origin may not change
    ├── ConfirmationRequiredError    a destructive verb wants its preview confirmed
    ├── ProfileError                 a profile or an override is wrong
    ├── GainTooSmallError            a tuned profile is no better than chance would make it
    ├── SettingsError                an environment variable or path is wrong
    ├── MissingExtraError            an optional package is not installed
    ├── EmbedderError                an embedder failed or returned nonsense
    │   └── EmbedderMismatchError    the store's vectors come from another model
    ├── RerankerError                a reranker failed; the order without it stands
    ├── ModelError                   a language model failed; on the way in the rules then decide
    │   └── ModelTimeoutError        it did not answer in time
    └── StoreError                   the store cannot do what was asked; nothing was half-written
        ├── StoreClosedError, StoreUnreachableError, StoreBusyError, StoreReadOnlyError
        ├── StoreFullError, StoreCorruptError
        ├── LostRevocationsError     a restore is done but for what was revoked since
        ├── ForeignFileError
        ├── NewerSchemaError
        ├── UnreadableFileError
        ├── NetworkFilesystemError
        ├── MoveRefusedError         a store is not moved there, or the move came out unequal
        ├── UnfinishedMoveError      a store that is being filled by a move
        ├── EncryptionError          a file and its key do not fit; nothing was touched
        │   ├── EncryptionUnavailableError
        │   ├── KeyMissingError
        │   ├── WrongKeyError
        │   └── NotEncryptedError
        └── ConflictError            another writer changed the same memory first
            └── StaleDocumentError   not the expected version of a document stands

A class's docstring is its message; the names in braces are its details.
"""


class EngraphyError(Exception):
    """Something went wrong in engraphy."""

    def __init__(self, message: str | None = None, **details: object) -> None:
        # One line: it stands in logs and on the last line of a terminal.
        template = " ".join((type(self).__doc__ or "").split())
        self.details = details
        super().__init__(message if message is not None else template.format(**details))


class InvalidInputError(EngraphyError, ValueError):
    """{field} is {got}; allowed: {allowed}."""


class EmptyContentError(InvalidInputError):
    """The content is empty: pass at least one character that is not white space."""


class ContentTooLongError(InvalidInputError):
    """The content has {length} characters; at most {limit} are allowed. Split it, or raise
    the profile's `write.max_content_chars`."""


class RequestTooLargeError(InvalidInputError):
    """The request's body is larger than the {limit} bytes that are allowed."""


class UnknownScopeError(InvalidInputError):
    """Unknown scope key {got}; allowed: user, agent, project, session (the tenant is set when
    the memory is opened)."""


class UnknownFieldError(InvalidInputError):
    """Unknown field {got}; allowed: {allowed}."""


class PersonalDataError(InvalidInputError):
    """This holds personal data ({found}), which the profile refuses (`pii`). Nothing of it was
    written."""


class NotThereError(InvalidInputError):
    """{field} is {got}, which does not exist; allowed: {allowed}."""


class NameTakenError(InvalidInputError):
    """{field} is {got}, which is taken; allowed: {allowed}."""


class ImportFormatError(InvalidInputError):
    """Line {line} of {path} cannot be imported: {problem}. Nothing was written."""


class LabelledDataError(InvalidInputError):
    """Line {line} of {path}: {field} is {got}; allowed: {allowed}.{others}"""


class NotFoundError(EngraphyError, LookupError):
    """No memory {id} is visible in this scope. Check the id (its first 6 characters are enough) and
    the scope; it may have been forgotten. Private and secret ones are shown only with allow_private
    and allow_secret."""


class UnknownSessionError(NotFoundError):
    """No session {session} has begun in this scope, or it is too long ago. Check its name,
    user, agent and project; start_session(session) or `engraphy session-start` begins it."""


class PathTakenError(EngraphyError):
    """The path {path} is not free: page {id} stands at {taken}. Nothing was written."""


class UnknownJobError(NotFoundError):
    """No job {id} was set aside in this scope. See jobs() or `engraphy jobs`."""


class UnknownGrantError(NotFoundError):
    """No token {id} was made in this tenant. See grants() or `engraphy token list`."""


class UnknownPublicationError(NotFoundError):
    """No publication {id} is offered here. Check the id and the tenant it comes from, and see
    offers() or `engraphy offers`."""


class UnknownSubscriptionError(NotFoundError):
    """No subscription {id} was made here. See subscriptions() or `engraphy subscriptions`."""


class NotAllowedError(EngraphyError):
    """The token is missing, wrong, expired or revoked. Whoever runs this server makes one with
    `engraphy token create`."""


class ForbiddenError(EngraphyError):
    """This token may not do that: {problem}."""


class ProtectedError(EngraphyError):
    """Memory {id} is protected ({why}) and stays as it is. Lift the protection first:
    protect(id, immutable=False), or, as a command or a tool, pin with immutable and off."""


class ConfirmationRequiredError(EngraphyError):
    """{count} memories match; nothing was forgotten. Look at them, then make the same call again
    with confirm="{token}"."""


class ProfileError(EngraphyError):
    """Profile {profile}: {problem}."""


class GainTooSmallError(EngraphyError):
    """On questions held out, {objective} changed by {gain} (95 % interval {low} to {high}), which
    is not above noise. Nothing was written: label more questions, or force it (--force)."""


class SettingsError(EngraphyError):
    """Setting {setting}: {problem}."""


class MissingExtraError(EngraphyError):
    """This needs an optional package. Install it with: pip install "engraphy[{extra}]"."""


class EmbedderError(EngraphyError):
    """The embedder {model} failed: {problem}."""


class EmbedderMismatchError(EmbedderError):
    """The store's vectors were made by {stored}, the embedder is {model}. Open the store with
    the same embedder (`embedder=`, `--embedder` or ENGRAPHY_EMBEDDER; a remote one is called only
    where you name it), or compute the vectors anew with this one, while the old ones answer:
    `engraphy reembed --model NAME` (`Memory.reembed`)."""


class RerankerError(EngraphyError):
    """The reranker {model} failed: {problem}."""


class ModelError(EngraphyError):
    """The language model {model} failed: {problem}."""


class ModelTimeoutError(ModelError):
    """The language model {model} did not answer within {seconds} s."""


class StoreError(EngraphyError):
    """The store at {path} failed: {problem}."""


class StoreClosedError(StoreError):
    """The store at {path} is closed: open a new Memory."""


class StoreUnreachableError(StoreError):
    """The server of the store at {path} does not answer, or not to this user: {problem}."""


class StoreBusyError(StoreError):
    """The store at {path} stayed locked for {seconds} s by another process. Nothing was written;
    try again, or find the process that holds it."""


class AlreadyDreamingError(StoreBusyError):
    """Another process is running maintenance on the store at {path}, which never runs twice at
    once. Nothing was done; wait for the other to end."""


class StoreReadOnlyError(StoreError):
    """The store at {path} cannot be written (read-only disk, folder or file). Nothing was
    written; change the permissions or choose another path (ENGRAPHY_HOME)."""


class StoreFullError(StoreError):
    """The disk under {path} is full. Nothing was written; free some space and try again."""


class StoreCorruptError(StoreError):
    """The store {path} is damaged: {problem}. It was left exactly as it is; restore a backup, or
    run `engraphy doctor --repair`, which keeps the old bytes beside it."""


class LostRevocationsError(StoreError):
    """The backup {path} was restored, but the file that it replaced is damaged and could not tell
    which tokens were revoked since. See grants() or `engraphy token list`; revoke those again."""


class ForeignFileError(StoreError):
    """{path} is not an engraphy store: {problem}. It was not touched; choose another
    path."""


class NewerSchemaError(StoreError):
    """The store {path} has schema {found}, this engraphy knows up to {known}. It was not touched;
    upgrade engraphy."""


class UnreadableFileError(StoreError):
    """The file {path} cannot be opened: {problem}."""


class NetworkFilesystemError(StoreError):
    """The folder of {path} is on a network file system ({filesystem}), where SQLite's locks do
    not hold. Put the store on a local disk, or use the PostgreSQL engine."""


class MoveRefusedError(StoreError):
    """Nothing is moved to {path}: {problem}. The source was not touched."""


class UnfinishedMoveError(StoreError):
    """A move into {path} was begun and has not ended. It was not touched; run the same
    `engraphy migrate` again, which goes on where it stood."""


class EncryptionError(StoreError):
    """The file {path} and the key do not fit: {problem}."""


class EncryptionUnavailableError(EncryptionError):
    """This installation cannot encrypt: something has put `apsw` in the place of `apsw-sqlite3mc`.
    Nothing was touched; put it back: pip install --force-reinstall --no-deps apsw-sqlite3mc"""


class KeyMissingError(EncryptionError):
    """The store {path} is encrypted, or is to be, and there is no key. It was not touched; give it
    with ENGRAPHY_KEY, ENGRAPHY_KEY_FILE, --ask-key or `key`, or keep it in the system's keyring."""


class WrongKeyError(EncryptionError):
    """The key does not open {path}: it is the key of another file, or the first page is damaged. It
    was left exactly as it is; try the right key, or restore a backup."""


class NotEncryptedError(EncryptionError):
    """There is a key, and the file {path} is not encrypted. It was not touched; encrypt it with
    `engraphy encrypt`, or open it without a key (ENGRAPHY_KEY, ENGRAPHY_KEY_FILE)."""


class ConflictError(StoreError):
    """Memory {id} was changed by another writer meanwhile. Nothing was written; read it again."""


class StaleDocumentError(ConflictError):
    """Document {id} was changed, or came into being, meanwhile. Nothing was written; read it
    again."""
