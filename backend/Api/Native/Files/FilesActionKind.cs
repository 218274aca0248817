namespace NzbDav.Api.Native.Files;


/// <summary>An action on files and collections.</summary>
internal enum FilesActionKind
{
    /// <summary>Delete with everything below.</summary>
    Delete,

    /// <summary>Move to another collection.</summary>
    Move,

    /// <summary>Rename within the same collection.</summary>
    Rename,
}
