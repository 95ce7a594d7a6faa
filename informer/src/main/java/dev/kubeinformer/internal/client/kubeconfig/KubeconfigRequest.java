package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Request for a kubeconfig and a context.
 *
 * @param files the files; several files are merged. Missing files are ignored unless all
 * files are missing
 * @param origin the origin of the files, for messages, for example
 * {@code the environment variable 'KUBECONFIG'}
 * @param context the context; {@code null} or blank for the current one
 * @param contextOption the setting that selects a context, for messages, for example
 * {@code the property 'kubernetes.client.context'}; {@code null} if there is none
 * @param credentialsElsewhere {@code true} if the user in the kubeconfig needs no
 * credentials, because the application sets them elsewhere
 */
public record KubeconfigRequest(List<Path> files, String origin, @Nullable String context,
		@Nullable String contextOption, boolean credentialsElsewhere) {

}
