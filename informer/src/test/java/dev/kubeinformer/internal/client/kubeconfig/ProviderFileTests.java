package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.internal.client.ClusterAccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link ProviderFile} and of what writes it.
 */
class ProviderFileTests {

	private static final Map<String, String> NEXT = Map.of("id-token", "i2", "refresh-token", "r2");

	private static final String USER = """
			- name: %s # named so
			  user:
			    auth-provider:
			      name: oidc
			      config: { idp-issuer-url: u, client-id: c, id-token: i1, refresh-token: r1 }
			""";

	@TempDir
	private Path folder;

	@Test
	void fileThatHoldsTheUserShouldBeWritten() throws IOException {
		Path first = write("first",
				"contexts: [ { name: x, context: { cluster: c, user: me } } ]\ncurrent-context: x\n");
		Path second = write("second", "users:\n" + USER.formatted("me"));
		Path third = write("third", "clusters: [ { name: c, cluster: { server: 'https://h' } } ]\nusers:\n"
				+ USER.formatted("me").replace("i1", "i0"));
		List<String> others = List.of(Files.readString(first), Files.readString(third));
		ClusterAccess.Provider provider = Kubeconfigs
			.read(new KubeconfigRequest(List.of(first, second, third), "test", null, null, false))
			.user()
			.provider();
		Objects.requireNonNull(Objects.requireNonNull(provider).store()).write(NEXT);
		assertThat(second).hasContent(("users:\n" + USER.formatted("me")).replace("i1", "i2").replace("r1", "r2"));
		assertThat(List.of(Files.readString(first), Files.readString(third))).isEqualTo(others);
		assertThat(names()).containsExactlyInAnyOrder("first", "second", "third");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void permissionsAndSymbolicLinksShouldStay() throws IOException {
		Path target = Files.createDirectory(this.folder.resolve("real")).resolve("config");
		Files.writeString(target, "users:\n" + USER.formatted("me"));
		Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
		PosixFileAttributeView view = Files.getFileAttributeView(target, PosixFileAttributeView.class);
		String owner = view.readAttributes().owner().getName();
		Path link = Files.createSymbolicLink(this.folder.resolve("config"), Path.of("real/config"));
		store(link).write(NEXT);
		assertThat(link).isSymbolicLink();
		assertThat(Files.readString(target)).contains("i2", "r2");
		assertThat(PosixFilePermissions.toString(view.readAttributes().permissions())).isEqualTo("rw-r-----");
		assertThat(view.readAttributes().owner().getName()).isEqualTo(owner);
		assertThat(names()).containsExactlyInAnyOrder("real", "config");
		assertThat(target.getParent()).isDirectoryContaining((file) -> file.endsWith("config"))
			.isDirectoryNotContaining((file) -> !file.endsWith("config"));
	}

	@Test
	void contentShouldBeReplacedInPlaceWhereTheFileMustStay() throws IOException {
		Path file = write("config", "something that is longer");
		Object key = Files.readAttributes(file, "fileKey").get("fileKey");
		FileReplacement.write(file, "short".getBytes());
		assertThat(file).hasContent("short");
		assertThat(Files.readAttributes(file, "fileKey").get("fileKey")).isEqualTo(key);
	}

	@Test
	void whatOthersHaveChangedShouldStay() throws IOException {
		Path file = write("config", "users:\n" + USER.formatted("me"));
		ProviderFile store = store(file);
		// As kubectl, which writes the file in the order of names.
		Files.writeString(file, "users:\n" + USER.formatted("you").replace("i1", "i7") + USER.formatted("me"));
		store.write(NEXT);
		assertThat(file).content().contains("i7", "i2").doesNotContain("i1");
		assertThat(store.read()).containsAllEntriesOf(NEXT);
	}

	@Test
	void lockOfKubectlShouldBeWaitedFor() throws Exception {
		Path file = write("config", "users:\n" + USER.formatted("me"));
		KubeconfigLock lock = KubeconfigLock.of(file);
		assertThat(this.folder.resolve("config.lock")).exists();
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
			try {
				store(file).write(NEXT);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		Files.writeString(file, "users:\n" + USER.formatted("you") + USER.formatted("me"));
		lock.close();
		await().until(written::isDone);
		written.join();
		assertThat(file).content().contains("name: you", "i2");
		assertThat(names()).containsExactly("config");
	}

	@Test
	void concurrentWritersShouldLoseNothing() throws Exception {
		int writers = 4;
		StringBuilder users = new StringBuilder("users:\n");
		for (int i = 0; i < writers; i++) {
			users.append(USER.formatted("u" + i));
		}
		Path file = write("config", users.toString());
		CompletableFuture<?>[] all = new CompletableFuture<?>[writers];
		for (int i = 0; i < writers; i++) {
			ProviderFile store = ProviderFile.of(file, "u" + i, "oidc",
					Map.of("idp-issuer-url", "u", "client-id", "c"));
			Map<String, String> values = Map.of("id-token", "n" + i);
			all[i] = CompletableFuture.runAsync(() -> {
				try {
					store.write(values);
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}
		CompletableFuture.allOf(all).join();
		assertThat(file).content().contains("n0", "n1", "n2", "n3").doesNotContain("i1");
		assertThat(names()).containsExactly("config");
	}

	@Test
	void lockThatStaysShouldBeNamed() throws IOException {
		Path file = write("config", "users:\n" + USER.formatted("me"));
		Path lock = write("config.lock", "");
		assertThatIOException().isThrownBy(() -> KubeconfigLock.of(file, Duration.ZERO))
			.withMessage("another process has made '%s'; remove it if no kubectl is running",
					lock.toRealPath().toString());
		assertThat(lock).exists();
	}

	@Test
	void fileThatCannotBeWrittenShouldBeNamed() throws IOException {
		// Its lock cannot be made, even by a user who may do everything.
		Path file = write("x".repeat(252), "users:\n" + USER.formatted("me"));
		assertThatIOException().isThrownBy(() -> store(file).write(NEXT)).withMessageContaining(".lock': ");
		assertThat(file).content().contains("i1");
		Files.delete(file);
		assertThatIOException().isThrownBy(() -> store(file).write(NEXT)).withMessageEndingWith("' does not exist");
	}

	@Test
	void otherProviderShouldNotBeChanged() throws IOException {
		Path file = write("config", "users:\n" + USER.formatted("me"));
		ProviderFile store = store(file);
		for (String other : List.of("client-id: d", "idp-issuer-url: v", "name: gcp")) {
			Files.writeString(file, "users:\n" + USER.formatted("me")
				.replaceFirst(other.replaceAll("(client-id|-url|name): .*", "$1: (c|u|oidc)"), other));
			assertThatIOException().isThrownBy(() -> store.write(NEXT))
				.withMessage("its user 'me' now has another auth provider");
			assertThatIOException().isThrownBy(store::read);
		}
		Files.writeString(file, "users: [");
		assertThatIOException().isThrownBy(() -> store.write(NEXT)).withMessage("it is no longer valid");
		assertThat(store.toString()).doesNotContain("i1", "r1");
	}

	private Path write(String name, String content) throws IOException {
		return Files.writeString(this.folder.resolve(name), content);
	}

	private static ProviderFile store(Path file) {
		return ProviderFile.of(file, "me", "oidc", Map.of("idp-issuer-url", "u", "client-id", "c", "id-token", "i1"));
	}

	private List<String> names() throws IOException {
		try (Stream<Path> files = Files.list(this.folder)) {
			return files.map((file) -> file.getFileName().toString()).toList();
		}
	}

}
