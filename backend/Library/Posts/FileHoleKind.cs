namespace NzbDav.Library.Posts;

/// <summary>Why bytes of a file are known to be missing.</summary>
public enum FileHoleKind
{
    /// <summary>The .nzb does not list their article.</summary>
    Unlisted,

    /// <summary>A reader asked for their article, and no provider has it.</summary>
    Gone,
}
