namespace NzbDav.Torrents.Mapping;

/// <summary>Asks a router to map a port. Used by one caller at a time.</summary>
internal interface IPortMapper
{
    /// <summary>Makes, renews or removes a mapping.</summary>
    /// <param name="protocol">Protocol of the port.</param>
    /// <param name="port">The port on this machine, and if possible the router's.</param>
    /// <param name="lifetime">The lifetime wanted; zero removes the mapping.</param>
    /// <param name="cancellationToken">Ends the wait for an answer.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken);
}
