namespace NzbDav.Library.Filling;

/// <summary>What a reader does at bytes that no provider has and that cannot be made again, or not before a player gives up.</summary>
public enum HolePolicy
{
    /// <summary>The read ends.</summary>
    Fail,

    /// <summary>A film goes on with filler where its container survives that; anything else ends.</summary>
    Zeros,
}
