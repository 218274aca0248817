namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Time limit for tests. No test depends on speed: the limit only turns a test that would hang into one that fails.</summary>
internal static class Deadline
{
    public static readonly TimeSpan Long = TimeSpan.FromMinutes(3);

    /// <summary>A token that fires when a test hangs.</summary>
    public static CancellationToken Token => new CancellationTokenSource(Long).Token;

    /// <summary>Polls until a condition holds, for server events that nothing reports.</summary>
    public static async Task UntilAsync(Func<Task<bool>> isSo, string what)
    {
        using var limit = new CancellationTokenSource(Long);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(25));
        while (!await isSo())
        {
            try
            {
                await look.WaitForNextTickAsync(limit.Token);
            }
            catch (OperationCanceledException)
            {
                Assert.Fail($"It never happened: {what}");
            }
        }
    }

    /// <inheritdoc cref="UntilAsync(Func{Task{bool}}, string)"/>
    public static Task UntilAsync(Func<bool> isSo, string what) => UntilAsync(() => Task.FromResult(isSo()), what);
}
