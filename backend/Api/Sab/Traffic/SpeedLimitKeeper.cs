using System.Globalization;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Traffic;

/// <summary>Parses the speed limit and keeps it across restarts. Thread-safe.</summary>
public sealed class SpeedLimitKeeper(SettingStore settings, Live<SabOptions> options, ISabTraffic traffic)
{
    private const string Key = "usenet.speed-limit";

    /// <summary>
    /// The limit as a share of the line, in whole per cent; 100 if there is no limit, or if the line's bandwidth is not configured.
    /// </summary>
    public string Percent => traffic.SpeedLimit is { } limit && options.Value.LineBytesPerSecond is { } whole
        ? SabText.Number(Math.Clamp((long)Math.Round(100.0 * limit / whole), 1, 100))
        : "100";

    /// <summary>
    /// Parses a limit: bytes per second with K or M, or a share of the line in per cent; 0 and 100 per cent mean no limit.
    /// </summary>
    /// <returns>False if the text is not a limit, or is a share while the line's bandwidth is not configured.</returns>
    public bool TryParse(string text, out long? bytesPerSecond)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        bytesPerSecond = null;
        var unit = char.ToUpperInvariant(text[^1]) switch
        {
            'K' => 1L << 10,
            'M' => 1L << 20,
            'G' => 1L << 30,
            _ => 0,
        };
        if (!double.TryParse(unit == 0 ? text.TrimEnd('%') : text[..^1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
            out var number) || number > 1e9)
            return false;
        if (unit != 0)
            bytesPerSecond = number > 0 ? (long)(number * unit) : null;
        else if (number > 100)
            bytesPerSecond = (long)number;
        else if (number is > 0 and < 100)
            bytesPerSecond = (long?)(number / 100 * options.Value.LineBytesPerSecond);
        return unit != 0 || number is 0 or >= 100 || bytesPerSecond is not null;
    }

    /// <summary>Sets the limit, at once and for later starts; null: none.</summary>
    public async Task SetAsync(long? bytesPerSecond, CancellationToken cancellationToken)
    {
        await settings.SetAsync(Key, bytesPerSecond?.ToString(CultureInfo.InvariantCulture), cancellationToken);
        traffic.SpeedLimit = bytesPerSecond;
    }

    /// <summary>Applies the stored limit when the server starts.</summary>
    public async Task RestoreAsync(CancellationToken cancellationToken) =>
        traffic.SpeedLimit = long.TryParse(await settings.GetAsync(Key, cancellationToken), NumberStyles.None, CultureInfo.InvariantCulture,
            out var limit) && limit > 0 ? limit : null;
}
