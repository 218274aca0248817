namespace NzbDav.MockSwarm.Seeders;

/// <summary>The messages that a seeder reacts to.</summary>
internal enum IncomingKind
{
    Handshake,
    Interested,
    NotInterested,
    Request,
    Cancel,
    MetadataRequest,
}
