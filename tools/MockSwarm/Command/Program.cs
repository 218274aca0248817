namespace NzbDav.MockSwarm.Command;

internal static class Program
{
    public static Task<int> Main(string[] args) => new SwarmCommand().Create().Parse(args).InvokeAsync();
}
