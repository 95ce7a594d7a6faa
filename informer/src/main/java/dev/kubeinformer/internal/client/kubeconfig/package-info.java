/**
 * Reads kubeconfigs by the rules of client-go ({@code tools/clientcmd}).
 */
@NullMarked
package dev.kubeinformer.internal.client.kubeconfig;

import org.jspecify.annotations.NullMarked;
