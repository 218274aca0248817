namespace NzbDav.Fuzz.Contract;

/// <summary>
/// Waits for asynchronous parsers. A fuzz run is one thread that parses one input after the other. The parsers' input is available at once,
/// so nearly all of their tasks are completed when they are returned.
/// </summary>
internal static class Synchronously
{
    /// <summary>Waits for a result; throws what the task threw.</summary>
    public static T Wait<T>(ValueTask<T> task) => Wait(task.AsTask());

    /// <inheritdoc cref="Wait{T}(ValueTask{T})"/>
#pragma warning disable VSTHRD002 // No pool thread waits here.
    public static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();

    /// <inheritdoc cref="Wait{T}(ValueTask{T})"/>
    public static void Wait(Task task) => task.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
}
