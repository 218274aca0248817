using NzbDav.Api.Native.Events;

namespace NzbDav.Api.Native.Providers;

/// <summary>
/// News of the accounts: once a second while anything about them changes. What a connection notices by itself, as the end that its server tells, is in the status at once; nothing is asked of
/// a provider for this.
/// </summary>
internal sealed class ProviderTopic(ProviderList list) : IEventTopic
{
    private IReadOnlyList<ProviderBody>? _told;

    /// <summary>Never raised: whoever tells of each connection would tell of too much.</summary>
    public event Action? Changed
    {
        add { }
        remove { }
    }

    public string Name => "providers";

    public Type DataType => typeof(ProvidersBody);

    public bool IsWhole => true;

    /// <summary>The period alone keeps them apart: it begins when this is over.</summary>
    public TimeSpan Pace => TimeSpan.Zero;

    public TimeSpan? Period => TimeSpan.FromSeconds(1);

    public ValueTask<object?> TakeAsync(CancellationToken cancellationToken)
    {
        var now = list.Now;
        if (_told is { } told && told.SequenceEqual(now.Providers))
            return ValueTask.FromResult<object?>(null);
        _told = now.Providers;
        return ValueTask.FromResult<object?>(now);
    }

    public void Begin() => _told = null;
}
