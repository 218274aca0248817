namespace NzbDav.Access.Keys;

/// <summary>What an API key opens.</summary>
[Flags]
public enum ApiRights
{
    /// <summary>Nothing: no key, or a wrong one.</summary>
    None = 0,

    /// <summary>Looking: queue, history, state.</summary>
    Read = 1,

    /// <summary>Bringing jobs.</summary>
    Add = 2,

    /// <summary>Changing what is there: queue and history.</summary>
    Change = 4,

    /// <summary>Settings, users, files of this machine.</summary>
    Manage = 8,

    /// <summary>Everything.</summary>
    Full = Read | Add | Change | Manage,
}
