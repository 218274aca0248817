namespace NzbDav.Catalog.Gateways;

/// <summary>What a gateway has of an account.</summary>
/// <param name="Account">As requested.</param>
/// <param name="Share">The most connections that it may have from now on.</param>
/// <param name="Goal">
/// Connections that it is to have. Below <paramref name="Share"/>: it closes the others, then renews and gives them back. Above: other gateways are about to give up what it lacks.
/// </param>
public readonly record struct ShareGrant(string Account, int Share, int Goal);
