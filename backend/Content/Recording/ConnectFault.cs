namespace NzbDav.Content.Recording;

/// <summary>Why a connection to a provider could not be opened.</summary>
public enum ConnectFault : byte
{
    /// <summary>The provider could not be reached, or did not answer like a news server.</summary>
    Unreachable,

    /// <summary>It allows no more connections now.</summary>
    TooMany,

    /// <summary>It refused the login.</summary>
    Login,
}
