namespace NzbDav.Torrents.Mapping;

/// <summary>Asks a router to let a port through. Used by one caller at a time.</summary>
internal interface IPortMapper
{
    /// <summary>Makes or renews a mapping; with no lifetime it is removed.</summary>
    /// <param name="protocol">Of the port.</param>
    /// <param name="port">Here, and if possible there.</param>
    /// <param name="lifetime">Wanted; zero removes it.</param>
    /// <param name="cancellationToken">Ends the wait for an answer.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken);
}
