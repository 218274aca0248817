namespace NzbDav.FullNzbTester.Replay;

/// <summary>What a provider did.</summary>
internal enum ProviderMomentKind
{
    /// <summary>It allows so many connections from now on.</summary>
    Cap,

    /// <summary>It accepts no connection from now on.</summary>
    Down,

    /// <summary>It refuses all logins from now on.</summary>
    NoLogin,

    /// <summary>It refuses to serve articles from now on.</summary>
    NoService,

    /// <summary>All is as it should be from now on.</summary>
    Up,

    /// <summary>It ends all connections.</summary>
    Drop,
}
