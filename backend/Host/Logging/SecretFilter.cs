using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Logging;

/// <summary>
/// Takes secrets out of text: the ones that this server is configured with wherever and however they stand, and what looks like one
/// (<see cref="Redaction"/>). Thread-safe; secrets can be added while it works.
/// </summary>
public sealed class SecretFilter
{
    /// <summary>Shorter ones would take words apart, and tell by that what they are.</summary>
    private const int Shortest = 4;

    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private volatile Known _now = new([]);

    /// <summary>A filter that knows all secrets of the settings.</summary>
    public static SecretFilter Of(NzbDavSettings settings)
    {
        var filter = new SecretFilter();
        filter.Learn(settings);
        return filter;
    }

    /// <summary>From now on all secrets of the settings are taken out; those that it knows already still are.</summary>
    public void Learn(NzbDavSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        foreach (var provider in settings.Providers)
        {
            Add(provider.Password, provider.Username);
            Add(provider.Proxy?.Password, provider.Proxy?.User);
        }

        Add(settings.Torrents.Proxy?.Password, settings.Torrents.Proxy?.User);
        Add(settings.WebDavPassword, settings.WebDavUsername);
        Add(settings.Api.Key);
        Add(settings.Api.ClientKey);
        Add(settings.Api.AddKey);
        Add(settings.Api.ReadKey);
        Add(settings.Api.Rclone?.Password, settings.Api.Rclone?.Username);
        foreach (var password in settings.Import.Passwords)
            Add(password);
        foreach (var header in settings.Operations.Otlp?.Headers?.Split(',') ?? [])
            Add(header[(header.IndexOf('=', StringComparison.Ordinal) + 1)..]);
        Add(settings.Access.Oidc?.ClientSecret);
        Add(settings.Access.ForwardAuthSecret);
        foreach (var arr in settings.Arrs)
            Add(arr.Options.ApiKey);
    }

    /// <summary>From now on this is taken out: as it is, escaped for addresses and JSON, and with its user as Basic credentials.</summary>
    public void Add(string? secret, string? user = null)
    {
        if (secret is null || secret.Length < Shortest)
            return;
        lock (_gate)
        {
            _known.Add(secret);
            _known.Add(Uri.EscapeDataString(secret));
            _known.Add(JavaScriptEncoder.Default.Encode(secret));
            _known.Add(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(secret));
            if (user is not null)
                _known.Add(Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{secret}")));

            // Longest first: one secret may be the beginning of another.
            _now = new Known([.. _known.OrderByDescending(one => one.Length)]);
        }
    }

    /// <summary>The text without secrets.</summary>
    public string Clean(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var known = _now;
        if (known.Search is not null && text.AsSpan().ContainsAny(known.Search))
        {
            foreach (var secret in known.Secrets)
                text = text.Replace(secret, Redaction.Mark, StringComparison.Ordinal);
        }

        return Redaction.Clean(text);
    }

    private sealed class Known(string[] secrets)
    {
        public string[] Secrets => secrets;

        public SearchValues<string>? Search { get; } = secrets.Length == 0 ? null : SearchValues.Create(secrets, StringComparison.Ordinal);
    }
}
