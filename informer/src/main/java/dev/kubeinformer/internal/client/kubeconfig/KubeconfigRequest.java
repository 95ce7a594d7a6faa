package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which kubeconfig is wanted.
 *
 * @param files the files; several are merged, and those that do not exist are left out if
 * one does
 * @param origin what named them, for messages, for example
 * {@code the environment variable 'KUBECONFIG'}
 * @param context the context; {@code null} or blank for the current one
 * @param contextOption what may name a context, for messages, for example
 * {@code the property 'kubernetes.client.context'}; {@code null} if nothing may
 * @param authenticated whether credentials come from somewhere else, so that the user
 * need not have any
 */
public record KubeconfigRequest(List<Path> files, String origin, @Nullable String context,
		@Nullable String contextOption, boolean authenticated) {

}
