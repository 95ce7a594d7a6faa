package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads a bearer token from a file, such as the token of a service account, as
 * {@code transport/token_source.go} does.
 *
 * @param place the name of the configuration that names the file
 * @param field the name of the field that names the file
 * @param path the file
 * @param reader the reader of files
 * @param clock the wall clock
 */
record TokenFile(String place, String field, Path path, FileReader reader, Clock clock) implements CredentialFiles {

	static final String FIELD = "tokenFile";

	@Override
	public List<Path> paths() {
		return List.of(this.path);
	}

	@Override
	public Credential read() {
		byte[] content = this.reader.read(this.path, this.place, this.field);
		String token = new String(content, StandardCharsets.UTF_8).strip();
		String problem = BearerTokens.problem(token);
		if (problem != null) {
			throw new ClientConfigurationException(this.place, this.field,
					"names the file '%s', which %s".formatted(this.path, problem),
					"Write a token to the file, or correct '%s'.".formatted(this.field));
		}
		return new Credential(BearerTokens.header(token), null, "token file '" + this.path + "'", this.clock.instant(),
				BearerTokens.expires(token));
	}

}
