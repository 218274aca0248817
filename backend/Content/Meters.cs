using System.Diagnostics.Metrics;

namespace NzbDav.Content;

/// <summary>Creates meters, with or without a factory. Thread-safe.</summary>
public static class Meters
{
    /// <param name="factory">Creates the meter and owns it. Null: nobody listens, and the returned meter is already disposed, so its
    /// instruments record nothing. A live meter that nobody disposes would stay in the runtime's list for ever, with everything that its
    /// gauges refer to.</param>
    /// <param name="name">Name of the meter, such as <c>NzbDav.Content</c>.</param>
    public static Meter Create(IMeterFactory? factory, string name)
    {
        if (factory is not null)
            return factory.Create(name);
        var silent = new Meter(name);
        silent.Dispose();
        return silent;
    }
}
