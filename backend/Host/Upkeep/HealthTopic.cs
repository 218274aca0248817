using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>Notifies pages that the health of posts changed.</summary>
internal sealed class HealthTopic : NewsTopic<HealthNewsBody>
{
    private readonly TimeProvider _time;

    public HealthTopic(HealthStore store, TimeProvider time)
        : base("health", TimeSpan.FromSeconds(1))
    {
        _time = time;
        store.Changed += Note;
    }

    protected override HealthNewsBody Look() => new(_time.GetUtcNow());
}
