namespace NzbDav.MockUsenet.Command;

/// <summary>The command <c>nzbdav-mock-usenet</c>.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        await using var input = Console.OpenStandardInput();
        var command = new MockCommand()
            .Create((settings, cancellationToken) => MockRun.RunAsync(settings, Console.Out, input, cancellationToken));
        return await command.Parse(args).InvokeAsync();
    }
}
