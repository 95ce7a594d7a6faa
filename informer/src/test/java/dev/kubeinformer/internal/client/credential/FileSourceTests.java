package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.WatchedFile;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link FileSource} on real files, with the time of the test.
 */
class FileSourceTests {

	private static final String PLACE = "The kubeconfig '/x'";

	private static final BooleanSupplier WAITING = () -> false;

	private static final Duration SECOND = Duration.ofSeconds(1);

	@TempDir
	private Path folder;

	private final TestTime time = new TestTime();

	private final FileReader reader = new FileReader(this.time.time());

	private final TestLog log = new TestLog();

	@AfterEach
	void closeLog() {
		this.log.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "abc", "abc\n", "abc\r\n", "\n  abc\t\r\n\n" })
	void tokenShouldBeStripped(String content) throws Exception {
		Path file = write("token", content);
		Credential credential = token(file).latest();
		assertThat(credential.authorization()).isEqualTo("Bearer abc");
		assertThat(credential.source()).isEqualTo("token file '%s'", file);
		assertThat(credential.readAt()).isEqualTo(TestTime.START);
		assertThat(credential).asString().doesNotContain("abc");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \r\n" })
	void emptyTokenFileShouldStopTheStart(String content) throws Exception {
		Path file = write("token", content);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> token(file))
			.withMessage("The kubeconfig '/x', field 'tokenFile', names the file '%s', which is empty", file);
	}

	@Test
	void tokenFileOfTwoLinesShouldStopTheStart() throws Exception {
		Path file = write("token", "s3cret\nother\n");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> token(file))
			.withMessageContaining("which has more than one line")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void missingTokenFileShouldStopTheStart() {
		Path file = this.folder.resolve("absent");
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> token(file))
			.withMessage("The kubeconfig '/x', field 'tokenFile', names the file '%s', which does not exist", file)
			.withNoCause();
	}

	@Test
	void folderInPlaceOfATokenFileShouldStopTheStart() {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> token(this.folder))
			.withMessageEndingWith("which is a directory");
	}

	@Test
	void tokenThatTheKubeletExchangesShouldBeReadOnceAMinute() throws Exception {
		Path file = mounted("one");
		FileSource source = token(file);
		remount("two");
		this.time.advance(WatchedFile.PERIOD.minus(SECOND));
		assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer one");
		this.time.advance(SECOND);
		assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer two");
		assertThat(this.log.lines())
			.containsExactly("INFO The credential was replaced: token file '%s'".formatted(file));
	}

	@Test
	void fileShouldBeLookedAtMoreOftenWhenItsContentExpires() throws Exception {
		Path file = mounted(jwt(100));
		FileSource source = token(file);
		assertThat(source.latest().expires()).isEqualTo(TestTime.START.plusSeconds(100));
		this.time.advance(WatchedFile.PERIOD);
		source.current(WAITING);
		remount(jwt(1000));
		this.time.advance(Duration.ofSeconds(5));
		assertThat(source.current(WAITING).expires()).isEqualTo(TestTime.START.plusSeconds(1000));
		remount(jwt(2000));
		this.time.advance(WatchedFile.PERIOD.minus(SECOND));
		assertThat(source.current(WAITING).expires()).isEqualTo(TestTime.START.plusSeconds(1000));
	}

	private static String jwt(long seconds) {
		String claims = "{\"exp\":%d}".formatted(TestTime.START.plusSeconds(seconds).getEpochSecond());
		return "e30.%s.sig"
			.formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void tokenShouldBeReadAtOnceAfterItWasRefused() throws Exception {
		Path file = mounted("one");
		FileSource source = token(file);
		Credential refused = source.latest();
		assertThat(source.after(refused, WAITING)).isSameAs(refused);
		remount("two");
		Credential next = source.after(refused, WAITING);
		assertThat(next.authorization()).isEqualTo("Bearer two");
		remount("three");
		// The first of many refused callers read the file for all of them.
		assertThat(source.after(refused, WAITING)).isSameAs(next);
	}

	@Test
	void tokenOfTheSameSizeAndTimeShouldBeSeenAfterItWasRefused() throws Exception {
		Path file = write("token", "one");
		FileSource source = token(file);
		var modified = Files.getLastModifiedTime(file);
		Files.writeString(file, "two");
		Files.setLastModifiedTime(file, modified);
		assertThat(source.after(source.latest(), WAITING).authorization()).isEqualTo("Bearer two");
	}

	@Test
	void tokenShouldStayWhileItsFileIsAwayAndWarnOnce() throws Exception {
		Path file = write("token", "one");
		FileSource source = token(file);
		Files.delete(file);
		this.time.advance(WatchedFile.PERIOD);
		for (int i = 0; i < 10; i++) {
			assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer one");
			this.time.advance(SECOND);
		}
		assertThat(this.log.lines()).containsExactly(
				"WARN Cannot renew the credential: The kubeconfig '/x', field 'tokenFile', names the file '%s', which does not exist; the old one stays in use"
					.formatted(file));
		write("token", "two");
		this.time.advance(WatchedFile.PERIOD);
		assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer two");
		assertThat(this.log.lines()).hasSize(2).last().asString().startsWith("INFO The credential was replaced");
	}

	@Test
	void fileThatIsBeingWrittenShouldBeReadAgainSoonWithoutAWarning() throws Exception {
		Path file = write("token", "one");
		FileSource source = token(file);
		write("token", "");
		this.time.advance(WatchedFile.PERIOD);
		assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer one");
		write("token", "two");
		this.time.advance(SECOND);
		assertThat(source.current(WAITING).authorization()).isEqualTo("Bearer two");
		assertThat(this.log.lines()).hasSize(1);
	}

	@Test
	void halfExchangedPairShouldNotBeUsed() throws Exception {
		Path certificate = write("tls.crt", TestPem.OLD.certificate());
		Path key = write("tls.key", TestPem.OLD.key());
		FileSource source = identity(certificate, key);
		Credential old = source.latest();
		write("tls.crt", TestPem.NEW.certificate());
		this.time.advance(WatchedFile.PERIOD);
		assertThat(source.current(WAITING)).isSameAs(old);
		assertThat(source.tend()).isEqualTo(SECOND);
		write("tls.key", TestPem.NEW.key());
		this.time.advance(SECOND);
		assertThat(source.tend()).isEqualTo(WatchedFile.PERIOD);
		Credential next = source.latest();
		assertThat(Objects.requireNonNull(next.identity())).isNotEqualTo(old.identity());
		assertThat(next.expires()).isEqualTo(next.identity().expires());
		assertThat(this.log.lines()).containsExactly(
				"INFO The credential was replaced: client certificate in '%s' and '%s'; the new one expires at %s"
					.formatted(certificate, key, next.expires()));
	}

	@Test
	void pairThatStaysHalfShouldWarnOnce() throws Exception {
		Path certificate = write("tls.crt", TestPem.OLD.certificate());
		FileSource source = identity(certificate, write("tls.key", TestPem.OLD.key()));
		write("tls.crt", TestPem.NEW.certificate());
		this.time.advance(WatchedFile.PERIOD);
		for (int i = 0; i < 100; i++) {
			source.tend();
			this.time.advance(SECOND);
		}
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith("WARN Cannot renew the credential: ")
			.contains("client-key", "; the old one stays in use and expires at ");
	}

	@Test
	void certificateAndKeyInOneFileShouldBeExchanged() throws Exception {
		Path file = write("current.pem", TestPem.OLD.certificate() + TestPem.OLD.key());
		FileSource source = identity(file, file);
		Credential old = source.latest();
		write("current.pem", TestPem.NEW.certificate() + TestPem.NEW.key());
		this.time.advance(WatchedFile.PERIOD);
		assertThat(source.current(WAITING).identity()).isNotNull().isNotEqualTo(old.identity());
		assertThat(source.latest().source()).isEqualTo("client certificate in '%s'", file);
	}

	@Test
	void sameContentInAnotherFileShouldNotBeAnExchange() throws Exception {
		Path file = mounted("one");
		FileSource source = token(file);
		Credential old = source.latest();
		remount("one");
		this.time.advance(WatchedFile.PERIOD);
		assertThat(source.current(WAITING)).isSameAs(old);
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void tokenShouldNotBeReadWithoutARequest() throws Exception {
		assertThat(token(write("token", "one")).isTended()).isFalse();
		assertThat(token(write("token", "one")).tend()).isNull();
	}

	private FileSource token(Path file) {
		return new FileSource(new TokenFile(PLACE, TokenFile.FIELD, file, this.reader, this.time), this.reader,
				this.time.time(), null, false);
	}

	private FileSource identity(Path certificate, Path key) {
		IdentityFiles files = new IdentityFiles(new Content.InFile(PLACE, "client-certificate", certificate),
				new Content.InFile(PLACE, "client-key", key), this.reader, this.time);
		return new FileSource(files, this.reader, this.time.time(), null, true);
	}

	// As writers do that care: the file is never half there.
	private Path write(String name, String content) throws IOException {
		Path next = Files.writeString(this.folder.resolve(name + ".next"), content);
		return Files.move(next, this.folder.resolve(name), StandardCopyOption.ATOMIC_MOVE,
				StandardCopyOption.REPLACE_EXISTING);
	}

	private Path mounted(String token) throws IOException {
		remount(token);
		return Files.createSymbolicLink(this.folder.resolve("token"), Path.of("..data/token"));
	}

	// As the kubelet does (pkg/volume/util/atomic_writer.go).
	private void remount(String token) throws IOException {
		Path version = Files.createTempDirectory(this.folder, "..2026_");
		Files.writeString(version.resolve("token"), token);
		Path link = Files.createSymbolicLink(this.folder.resolve("..data_tmp"), version.getFileName());
		Files.move(link, this.folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE,
				StandardCopyOption.REPLACE_EXISTING);
	}

}
