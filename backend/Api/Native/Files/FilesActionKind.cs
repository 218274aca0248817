namespace NzbDav.Api.Native.Files;


/// <summary>What is to be done with files.</summary>
internal enum FilesActionKind
{
    /// <summary>Away with all below it.</summary>
    Delete,

    /// <summary>Into another collection.</summary>
    Move,

    /// <summary>Another name, in the same collection.</summary>
    Rename,
}
