namespace NzbDav.WebDav.Requests;

/// <summary>Settings of the WebDAV side.</summary>
public sealed class WebDavOptions
{
    /// <summary>Serve without asking for credentials. Default: no. Looked at for every request, so it may change while running.</summary>
    public bool Anonymous { get; set; }

    /// <summary>How long a GET waits for its first byte before it answers 503. Default 30 s: clients give up soon after.</summary>
    public TimeSpan FirstByteTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>What Retry-After says with 503. Default 5 s.</summary>
    public TimeSpan RetryAfter { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a checked password (right or wrong) is remembered. Default 1 min: what a changed password takes to count everywhere.
    /// </summary>
    public TimeSpan CredentialLifetime { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Different wrong passwords that one address may try in <see cref="FailureWindow"/> before it is slowed down. Default 10.
    /// </summary>
    public int MaxFailures { get; set; } = 10;

    /// <summary>The window of <see cref="MaxFailures"/>. Default 5 min.</summary>
    public TimeSpan FailureWindow { get; set; } = TimeSpan.FromMinutes(5);
}
