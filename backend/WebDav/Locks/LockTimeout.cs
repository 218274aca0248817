using System.Globalization;

namespace NzbDav.WebDav.Locks;

/// <summary>The Timeout header of LOCK (RFC 4918 §10.7).</summary>
internal static class LockTimeout
{
    /// <summary>
    /// What a client gets that asks for nothing, and the most that any gets: clients that live refresh their locks, those that crashed
    /// shall not keep others out for longer.
    /// </summary>
    public static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    /// <summary>The first understandable wish of a list such as <c>Infinite, Second-4100000000</c>, within bounds.</summary>
    public static TimeSpan Parse(ReadOnlySpan<char> header)
    {
        const string Second = "Second-";
        foreach (var range in header.Split(','))
        {
            var wish = header[range].Trim(" \t");
            if (wish.Equals("Infinite", StringComparison.OrdinalIgnoreCase))
                return Longest;
            if (!wish.StartsWith(Second, StringComparison.OrdinalIgnoreCase))
                continue;
            var digits = wish[Second.Length..];
            if (digits.IsEmpty || digits.ContainsAnyExceptInRange('0', '9'))
                continue;

            // More digits than fit are as good as infinite.
            var seconds = long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : long.MaxValue;
            return seconds >= Longest.TotalSeconds ? Longest : seconds < Shortest.TotalSeconds ? Shortest : TimeSpan.FromSeconds(seconds);
        }

        return Longest;
    }
}
