namespace NzbDav.Fakes;

/// <summary>Waits for what other threads bring about, where there is no event to await. Gives up never: a test that waits in vain hangs and is seen.</summary>
public static class Until
{
    /// <summary>Lets others run until the condition holds.</summary>
    public static async Task TrueAsync(Func<bool> condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        while (!condition())
            await Task.Yield();
    }

    /// <inheritdoc cref="TrueAsync(Func{bool})"/>
    public static async Task TrueAsync(Func<Task<bool>> condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        while (!await condition())
            await Task.Yield();
    }
}
