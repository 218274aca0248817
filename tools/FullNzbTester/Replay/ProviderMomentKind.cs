namespace NzbDav.FullNzbTester.Replay;

/// <summary>Kind of a provider's event.</summary>
internal enum ProviderMomentKind
{
    /// <summary>From now on it allows this many connections.</summary>
    Cap,

    /// <summary>From now on it accepts no connection.</summary>
    Down,

    /// <summary>From now on it refuses all logins.</summary>
    NoLogin,

    /// <summary>From now on it refuses to serve articles.</summary>
    NoService,

    /// <summary>From now on everything works.</summary>
    Up,

    /// <summary>It ends all connections.</summary>
    Drop,
}
