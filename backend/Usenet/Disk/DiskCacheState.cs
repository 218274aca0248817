namespace NzbDav.Usenet.Disk;

/// <summary>State of the disk cache.</summary>
public enum DiskCacheState
{
    /// <summary>It keeps nothing, as configured.</summary>
    Off,

    /// <summary>It loads what an earlier process left; articles come from the providers meanwhile.</summary>
    Loading,

    /// <summary>It serves and takes articles.</summary>
    On,

    /// <summary>The disk is full: the cache has shrunk, or takes nothing new. It serves what it has and tries again after a minute.</summary>
    NoRoom,

    /// <summary>The folder cannot be used: nothing is taken. It tries again after five minutes.</summary>
    Failing,
}
