using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;

namespace NzbDav.Host.Logging;

/// <summary>
/// Removes secrets from text: those that this server is configured with, wherever and in whatever form they appear, and text that looks
/// like a secret (<see cref="Redaction"/>). Thread-safe; secrets can be added at any time.
/// </summary>
public sealed class SecretFilter
{
    /// <summary>Fewest characters of a secret that is removed wherever it stands. Shorter ones are removed as whole words: parts of words
    /// would reveal them.</summary>
    private const int ShortestPart = 4;

    /// <summary>Fewest characters of a secret. A single one is a digit or a letter of every line.</summary>
    private const int Shortest = 2;

    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly HashSet<string> _words = new(StringComparer.Ordinal);
    private volatile Known _now = new([], []);

    /// <summary>
    /// Adds a secret to remove: as it is, escaped for addresses and JSON, and together with its user as Basic credentials.
    /// </summary>
    public void Add(string? secret, string? user = null)
    {
        if (secret is null || secret.Length < Shortest)
            return;
        lock (_gate)
        {
            if (user is not null)
                _known.Add(Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{secret}")));
            AddForms(secret.Length < ShortestPart ? _words : _known, secret);

            // Longest first: one secret may be a prefix of another.
            _now = new Known([.. _known.OrderByDescending(one => one.Length)], [.. _words.OrderByDescending(one => one.Length)]);
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

        foreach (var word in known.Words)
            text = CleanWord(text, word);
        return Redaction.Clean(text);
    }

    private static void AddForms(HashSet<string> forms, string secret)
    {
        forms.Add(secret);
        forms.Add(Uri.EscapeDataString(secret));
        forms.Add(JavaScriptEncoder.Default.Encode(secret));
        forms.Add(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(secret));
    }

    private static string CleanWord(string text, string word)
    {
        for (var at = text.IndexOf(word, StringComparison.Ordinal); at >= 0;)
        {
            var end = at + word.Length;
            var isWhole = (at == 0 || !char.IsLetterOrDigit(text[at - 1])) && (end == text.Length || !char.IsLetterOrDigit(text[end]));
            if (isWhole)
                text = string.Concat(text.AsSpan(0, at), Redaction.Mark, text.AsSpan(end));
            at = text.IndexOf(word, isWhole ? at + Redaction.Mark.Length : at + 1, StringComparison.Ordinal);
        }

        return text;
    }

    private sealed class Known(string[] secrets, string[] words)
    {
        public string[] Secrets => secrets;

        public string[] Words => words;

        public SearchValues<string>? Search { get; } = secrets.Length == 0 ? null : SearchValues.Create(secrets, StringComparison.Ordinal);
    }
}
