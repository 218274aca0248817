namespace NzbDav.Mount;

/// <summary>Settings of the mount.</summary>
public sealed record MountOptions
{
    /// <summary>
    /// The folder that becomes the tree: absolute, existing, and empty. With <see cref="Socket"/>: where programs see the mount of the
    /// helper.
    /// </summary>
    public string? Path { get; init; }

    /// <summary>The socket of the mount helper (<see cref="MountHelper"/>), which mounts for this one; null: it mounts itself.</summary>
    public string? Socket { get; init; }

    /// <summary>True if there shall be a mount.</summary>
    public bool IsWanted => Path is not null || Socket is not null;

    /// <summary>
    /// True: all users may use the mount, as media servers that run as another user must. Where this process is not root, that needs the
    /// line <c>user_allow_other</c> in <c>/etc/fuse.conf</c>. The helper has an option of its own for it.
    /// </summary>
    public bool AllowsOthers { get; init; } = true;

    /// <summary>The user who owns everything in it; null: the one who runs this process.</summary>
    public uint? User { get; init; }

    /// <summary>The group that owns everything in it; null: that of this process.</summary>
    public uint? Group { get; init; }
}
