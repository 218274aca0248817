using NzbDav.Arr.Client;
using NzbDav.Arr.Library;
using NzbDav.Arr.Queue;
using NzbDav.Arr.Repair;
using NzbDav.Content.Dialling;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Arrs;

/// <summary>One *arr and the services that use it. They share its limit of one search per minute.</summary>
internal sealed class ArrInstance : IDisposable
{
    private readonly SearchGate _gate;

    public ArrInstance(ArrSettings settings, OwnDownloads own, TimeProvider time)
    {
        Settings = settings;
        _gate = new SearchGate(time);
        Client = new ArrClient(settings.Options, time, Dialler.Shared.ConnectAsync);
        Rules = new QueueRules(Client, new QueueRuleOptions { IsOurs = own.ContainsAsync }, _gate, time);
        var links = new LibraryLinks(settings.Library is var (theirs, here) ? [new(theirs, here)] : []);
        Repair = new ArrRepair(Client, links, _gate, time);
        Replacement = new ArrReplacement(Client, Repair, links, _gate);
        Failed = new FailedDownload(Client, _gate);
        Library = new ArrLibrary(Client, links);
    }

    public ArrSettings Settings { get; }

    public ArrClient Client { get; }

    public QueueRules Rules { get; }

    public ArrRepair Repair { get; }

    public ArrReplacement Replacement { get; }

    public FailedDownload Failed { get; }

    public ArrLibrary Library { get; }

    /// <summary>The error of the latest call; null: it succeeded.</summary>
    public string? Trouble { get; set; }

    /// <summary>
    /// True if the latest test succeeded; false: it failed, or there was none since the start or since its settings changed.
    /// </summary>
    public bool HasAnswered { get; set; }

    public void Dispose()
    {
        Repair.Dispose();
        Client.Dispose();
    }
}
