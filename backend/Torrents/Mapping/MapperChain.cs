namespace NzbDav.Torrents.Mapping;

/// <summary>Tries several protocols on one router: first the one that last granted a mapping, then the others in order. A mapping is removed by the protocol
/// that granted it.</summary>
/// <param name="mappers">In order of preference.</param>
internal sealed class MapperChain(params IReadOnlyList<IPortMapper> mappers) : IPortMapper
{
    private readonly Dictionary<MappingProtocol, IPortMapper> _granted = [];

    /// <inheritdoc/>
    public async Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        var before = _granted.GetValueOrDefault(protocol);
        if (lifetime <= TimeSpan.Zero)
        {
            _granted.Remove(protocol);
            return before is null ? MappingOutcome.Silence : await before.MapAsync(protocol, port, lifetime, cancellationToken);
        }

        // A router may refuse in one protocol only.
        string? refusal = null;
        foreach (var mapper in mappers.OrderBy(mapper => mapper != before))
        {
            var outcome = await mapper.MapAsync(protocol, port, lifetime, cancellationToken);
            if (outcome.Lease is not null)
            {
                _granted[protocol] = mapper;
                return outcome;
            }

            refusal ??= outcome.Refusal;
        }

        _granted.Remove(protocol);
        return refusal is null ? MappingOutcome.Silence : MappingOutcome.Refused(refusal);
    }
}
