using System.CommandLine;
using NzbDav.Mount;
using NzbDav.Mount.Protocol;

namespace NzbDav.Host.Commands;

/// <summary>Mounts for servers that have no rights to mount. Reads no settings and has no state.</summary>
internal static class MountHelperCommand
{
    public const string Name = "mount-helper";

    public static Command Create()
    {
        var folder = new Argument<DirectoryInfo>("DIR") { Description = "The folder to mount; created if it is missing." };
        var socket = new Option<FileInfo>("--socket")
        { Description = "The Unix socket to offer it at: the server's setting Mount:Socket.", Required = true };
        var mode = new Option<string>("--mode")
        { Description = "Who may connect, as octal digits. Default: 660.", DefaultValueFactory = static _ => "660" };
        var user = new Option<uint?>("--user") { Description = "The number of the server's user. Default: that of this process." };
        var group = new Option<uint?>("--group") { Description = "The number of the server's group." };
        var others = new Option<bool>("--allow-other")
        { Description = "Lets all users use the mount. Default: true.", DefaultValueFactory = static _ => true };
        var command = new Command(Name, "Mount for a server that may not: give it the mount of DIR over a socket (Linux, SYS_ADMIN).")
            { folder, socket, mode, user, group, others };
        mode.Validators.Add(result =>
        {
            if (Octal(result.GetValueOrDefault<string>()) is null)
                result.AddError("--mode must be three octal digits, such as 660.");
        });
        command.SetAction((parsed, token) => RunAsync(
            new MountHelperOptions
            {
                Folder = parsed.GetValue(folder)!.FullName.TrimEnd('/'),
                Socket = parsed.GetValue(socket)!.FullName,
                Mode = Octal(parsed.GetValue(mode)) ?? default,
                User = parsed.GetValue(user),
                Group = parsed.GetValue(group),
                AllowsOthers = parsed.GetValue(others),
            },
            token));
        return command;
    }

    private static async Task<int> RunAsync(MountHelperOptions options, CancellationToken cancellationToken)
    {
        using var logs = LoggerFactory.Create(static logging => logging.AddSimpleConsole(static console =>
            (console.SingleLine, console.TimestampFormat) = (true, "HH:mm:ss ")));
        try
        {
            await new MountHelper(options, logs.CreateLogger<MountHelper>()).RunAsync(cancellationToken);
            return 0;
        }
        catch (MountException e)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return Launch.ConfigurationFault;
        }
    }

    private static UnixFileMode? Octal(string? digits)
    {
        if (digits is not { Length: 3 } || digits.AsSpan().ContainsAnyExceptInRange('0', '7'))
            return null;
        return (UnixFileMode)digits.Aggregate(0, static (mode, digit) => (mode * 8) + (digit - '0'));
    }
}
