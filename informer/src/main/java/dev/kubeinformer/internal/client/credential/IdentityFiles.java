package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.tls.ClientIdentity;
import dev.kubeinformer.internal.client.tls.Pem;

/**
 * Client certificate and key, at least one of them in a file
 * ({@code transport/cert_rotation.go}).
 *
 * @param certificate the certificate
 * @param key the key
 * @param reader the reader of files
 * @param clock the wall clock
 */
record IdentityFiles(Content certificate, Content key, FileReader reader, Clock clock) implements CredentialFiles {

	@Override
	public List<Path> paths() {
		return Stream.of(this.certificate, this.key)
			.filter(Content.InFile.class::isInstance)
			.map((content) -> ((Content.InFile) content).path())
			.distinct()
			.toList();
	}

	@Override
	public Credential read() {
		String certificate = text(this.certificate);
		// Read a common file once, because it could be replaced between two reads.
		String key = isOneFile() ? certificate : text(this.key);
		ClientIdentity identity = Pem.identity(this.certificate, certificate, this.key, key);
		return new Credential(null, identity, source(), this.clock.instant(), identity.expires());
	}

	private boolean isOneFile() {
		return this.certificate instanceof Content.InFile one && this.key instanceof Content.InFile other
				&& one.path().equals(other.path());
	}

	private String text(Content content) {
		if (content instanceof Content.InFile file) {
			return new String(this.reader.read(file.path(), file.place(), file.field()), StandardCharsets.UTF_8);
		}
		return ((Content.Inline) content).text();
	}

	private String source() {
		return paths().stream()
			.map((path) -> "'" + path + "'")
			.collect(Collectors.joining(" and ", "client certificate in ", ""));
	}

}
