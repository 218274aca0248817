namespace NzbDav.Content.Proxies;

/// <summary>Why a proxy did not do what it was asked for.</summary>
public enum ProxyFault
{
    /// <summary>It closed the connection, or speaks another protocol.</summary>
    Protocol,

    /// <summary>It wants a user name and password, others than it was given, or another way to sign in.</summary>
    Login,

    /// <summary>Its rules forbid the connection.</summary>
    Forbidden,

    /// <summary>It cannot reach the host, or does not find its name.</summary>
    Unreachable,

    /// <summary>Anything else.</summary>
    Failed,
}
