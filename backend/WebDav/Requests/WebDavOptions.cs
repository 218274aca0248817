namespace NzbDav.WebDav.Requests;

/// <summary>Settings of the WebDAV side.</summary>
public sealed class WebDavOptions
{
    /// <summary>Serves without credentials. Default: no. Read for every request, so it may change at run time.</summary>
    public bool Anonymous { get; set; }

    /// <summary>How long a GET waits for its first byte before it responds with 503. Default 30 s: clients give up soon after.</summary>
    public TimeSpan FirstByteTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Value of Retry-After with 503. Default 5 s.</summary>
    public TimeSpan RetryAfter { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a verdict on a password (right or wrong) is remembered. Default 1 min: a changed password takes effect within that time.
    /// </summary>
    public TimeSpan CredentialLifetime { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Number of different wrong passwords that one address may try in <see cref="FailureWindow"/> before it is throttled. Default 10.
    /// </summary>
    public int MaxFailures { get; set; } = 10;

    /// <summary>The window of <see cref="MaxFailures"/>. Default 5 min.</summary>
    public TimeSpan FailureWindow { get; set; } = TimeSpan.FromMinutes(5);
}
