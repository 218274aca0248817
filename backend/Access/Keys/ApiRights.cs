namespace NzbDav.Access.Keys;

/// <summary>The rights of an API key or another caller.</summary>
[Flags]
public enum ApiRights
{
    /// <summary>No rights: no key, or a wrong one.</summary>
    None = 0,

    /// <summary>Read queue, history and state.</summary>
    Read = 1,

    /// <summary>Add jobs.</summary>
    Add = 2,

    /// <summary>Change queue and history.</summary>
    Change = 4,

    /// <summary>Change settings and users, and read files of this machine.</summary>
    Manage = 8,

    /// <summary>All rights.</summary>
    Full = Read | Add | Change | Manage,
}
