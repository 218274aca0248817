using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;

namespace NzbDav.Host.Logging;

/// <summary>
/// Removes secrets from text: those that this server is configured with, wherever and in whatever form they appear, and text that looks like a secret
/// (<see cref="Redaction"/>). Thread-safe; secrets can be added at any time.
/// </summary>
public sealed class SecretFilter
{
    /// <summary>Fewest characters of a secret. Removing shorter ones would damage words, and reveal the secret by doing so.</summary>
    private const int Shortest = 4;

    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private volatile Known _now = new([]);

    /// <summary>Adds a secret to remove: as it is, escaped for addresses and JSON, and together with its user as Basic credentials.</summary>
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

            // Longest first: one secret may be a prefix of another.
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
