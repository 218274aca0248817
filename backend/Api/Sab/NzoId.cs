using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary>A job's id as SABnzbd writes one: a fixed beginning, then letters and digits. Ours has 13 of them, for 63 bits; to clients it is opaque.</summary>
public static class NzoId
{
    private const string Prefix = "SABnzbd_nzo_";
    private const string Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    private const int Length = 13;

    /// <summary>The id that clients know a job by.</summary>
    public static string Of(long id) => string.Create(Prefix.Length + Length, id, static (text, value) =>
    {
        Prefix.CopyTo(text);
        for (var i = text.Length - 1; i >= Prefix.Length; i--)
        {
            text[i] = Digits[(int)(value % 36)];
            value /= 36;
        }
    });

    /// <summary>The id that clients know a job by: the one that another program told them, if it came from there.</summary>
    public static string Of(CatalogJob job)
    {
        ArgumentNullException.ThrowIfNull(job);
        return job.DownloadId ?? Of(job.Id);
    }

    /// <summary>Null if it is none of ours.</summary>
    public static long? Parse(string text)
    {
        if (text.Length != Prefix.Length + Length || !text.StartsWith(Prefix, StringComparison.Ordinal))
            return null;
        UInt128 id = 0;
        foreach (var character in text.AsSpan(Prefix.Length))
        {
            var digit = Digits.IndexOf(character, StringComparison.Ordinal);
            if (digit < 0)
                return null;
            id = (id * 36) + (uint)digit;
        }

        return id > 0 && id <= long.MaxValue ? (long)id : null;
    }
}
