namespace NzbDav.Usenet.Nzb;

/// <summary>The elements of an NZB. The tens are the nesting depth: an opening tag closes elements of the same or greater depth.</summary>
internal enum NzbElement
{
    Nzb = 0,
    Head = 10,
    File = 11,
    Meta = 20,
    Groups = 21,
    Segments = 22,
    Group = 30,
    Segment = 31,

    /// <summary>Anything else: may stand anywhere and is ignored.</summary>
    Other = 90,
}
