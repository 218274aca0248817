namespace NzbDav.Content.Proxies;

/// <summary>Why a proxy did not fulfil a request.</summary>
public enum ProxyFault
{
    /// <summary>It closed the connection, or speaks another protocol.</summary>
    Protocol,

    /// <summary>It requires a user name and password, rejects those given, or wants another way to sign in.</summary>
    Login,

    /// <summary>Its rules forbid the connection.</summary>
    Forbidden,

    /// <summary>It cannot reach the host, or cannot resolve its name.</summary>
    Unreachable,

    /// <summary>Anything else.</summary>
    Failed,
}
