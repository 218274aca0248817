namespace NzbDav.Usenet.Checks;

/// <summary>The steps of a provider check, in order.</summary>
public enum CheckStep
{
    /// <summary>The host name has an address.</summary>
    Resolve,

    /// <summary>Something listens there.</summary>
    Connect,

    /// <summary>It speaks TLS, with a certificate that can be trusted.</summary>
    Tls,

    /// <summary>It greets as a news server does.</summary>
    Greeting,

    /// <summary>It accepts user name and password.</summary>
    Login,

    /// <summary>How many connections it grants at once.</summary>
    Connections,

    /// <summary>How long an answer takes.</summary>
    RoundTrip,

    /// <summary>How fast articles of the library come.</summary>
    Speed,
}
