namespace NzbDav.Host.Status;

/// <summary>One quantity: the last hour by second and the last day by minute, 20 KB in total. Allocates nothing after the constructor. Not
/// thread-safe.</summary>
internal sealed class SeriesRing
{
    /// <summary>Values of the hour.</summary>
    public const int Seconds = 3_600;

    /// <summary>Values of the day.</summary>
    public const int Minutes = 1_440;

    private readonly float[] _hour = new float[Seconds];
    private readonly float[] _day = new float[Minutes];
    private readonly long _first;
    private long _last;
    private double _sum;
    private int _seen;

    /// <param name="second">The first second that will be added.</param>
    public SeriesRing(long second) => (_first, _last) = (second, second - 1);

    /// <summary>Adds the value of the seconds since the last call. The value of a minute is the mean of its seconds.</summary>
    /// <param name="second">The second that has just ended; larger than in the last call.</param>
    /// <param name="value">The value, for all of these seconds.</param>
    public void Add(long second, double value)
    {
        for (var each = Math.Max(_last + 1, second - (Minutes * 60) + 1); each <= second; each++)
        {
            _hour[each % Seconds] = (float)value;
            _sum += value;
            _seen++;
            if (each % 60 != 59)
                continue;
            _day[each / 60 % Minutes] = (float)(_sum / _seen);
            (_sum, _seen) = (0, 0);
        }

        _last = second;
    }

    /// <summary>Values of consecutive seconds or minutes; null where nothing was measured.</summary>
    /// <param name="span">Seconds or minutes.</param>
    /// <param name="first">The number of the first second or minute.</param>
    /// <param name="values">Filled with the values; at most as many as the span has.</param>
    public void Read(SeriesSpan span, long first, Span<double?> values)
    {
        var minute = ((_last + 1) / 60) - 1;
        for (var i = 0; i < values.Length; i++)
        {
            var at = first + i;
            values[i] = span == SeriesSpan.Hour
                ? at < _first || at > _last || at <= _last - Seconds ? null : _hour[at % Seconds]
                : (at * 60) + 59 < _first || at > minute || at <= minute - Minutes ? null : _day[at % Minutes];
        }
    }
}

/// <summary>A named quantity.</summary>
/// <param name="Name">Its name for programs.</param>
/// <param name="Label">Its name for people; null if the name is enough.</param>
/// <param name="Unit">The unit of its values.</param>
/// <param name="Ring">Its values.</param>
internal sealed record SeriesLine(string Name, string? Label, SeriesUnit Unit, SeriesRing Ring);

/// <summary>Unit of a line's values.</summary>
internal enum SeriesUnit
{
    /// <summary>Bytes per second.</summary>
    BytesPerSecond,

    /// <summary>A count.</summary>
    Count,

    /// <summary>Bytes.</summary>
    Bytes,

    /// <summary>A share, 0 to 1.</summary>
    Share,
}
