using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Calls;

/// <summary>
/// A job's id in SABnzbd's format: a fixed prefix, then letters and digits. Here these are 13, for 63 bits; clients treat the id as opaque.
/// </summary>
public static class NzoId
{
    private const string Prefix = "SABnzbd_nzo_";
    private const string Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    private const int Length = 13;

    /// <summary>The id under which clients see a job.</summary>
    public static string Of(long id) => string.Create(Prefix.Length + Length, id, static (text, value) =>
    {
        Prefix.CopyTo(text);
        for (var i = text.Length - 1; i >= Prefix.Length; i--)
        {
            text[i] = Digits[(int)(value % 36)];
            value /= 36;
        }
    });

    /// <summary>The id under which clients see a job: the id from the program it was migrated from, if there is one.</summary>
    public static string Of(CatalogJob job)
    {
        ArgumentNullException.ThrowIfNull(job);
        return job.DownloadId ?? Of(job.Id);
    }

    /// <summary>Null if it is not an id of this server.</summary>
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
