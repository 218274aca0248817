namespace NzbDav.Library.Filling;

/// <summary>What a reader does at bytes that no provider has and that cannot be reconstructed before a player gives up.</summary>
public enum HolePolicy
{
    /// <summary>The read ends.</summary>
    Fail,

    /// <summary>A film continues with filler where its container survives that; any other read ends.</summary>
    Zeros,
}
