using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>Limits removals per day without approval by a person. Pure.</summary>
public static class RemovalBrake
{
    /// <summary>True if one more post may be hidden today.</summary>
    /// <param name="day">What today used.</param>
    /// <param name="state">What a person allowed.</param>
    /// <param name="options">The limit.</param>
    public static bool Allows(HealthDay day, HealthState state, HealthOptions options)
    {
        ArgumentNullException.ThrowIfNull(day);
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(options);
        return state.Released == day.Day || (state.Braked is null && day.Removals < options.RemovalsPerDay);
    }
}
