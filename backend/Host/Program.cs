Console.WriteLine("nzbdav");
