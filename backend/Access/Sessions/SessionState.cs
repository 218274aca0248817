namespace NzbDav.Access.Sessions;

/// <summary>How things stand for a caller.</summary>
internal enum SessionState
{
    /// <summary>There is no user yet.</summary>
    Setup,

    /// <summary>Sign in.</summary>
    SignedOut,

    /// <summary>Something is open.</summary>
    SignedIn,
}
