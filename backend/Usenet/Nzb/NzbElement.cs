namespace NzbDav.Usenet.Nzb;

/// <summary>The elements that an NZB knows. The tens are how deep they stand: an opening tag closes what stands as deep or deeper.</summary>
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
